"""HTTP: the door (host, origin, credentials), the gateway to all tools, and what an operator looks at."""
