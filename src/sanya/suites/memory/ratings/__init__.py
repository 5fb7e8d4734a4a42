"""Ratings: what a rating is, which sources are independent of each other, and when ratings are worked out again."""
