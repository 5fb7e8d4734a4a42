"""Access to the network and to documents. The only package that connects to another host."""
