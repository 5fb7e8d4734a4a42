"""Evaluation: question sets, measures of search and answers, and reports of the runs."""
