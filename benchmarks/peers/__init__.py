"""What our figures are held against: the least that each framework does for the same request."""
