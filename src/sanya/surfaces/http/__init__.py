"""The HTTP surface: access control, the gateway to all tools, the console, health and metrics."""
