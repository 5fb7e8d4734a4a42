"""Reading a question: the names in it, and what it asks for."""
