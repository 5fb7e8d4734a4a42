"""Figures that the project holds itself to, each as a ratio measured in one run."""
