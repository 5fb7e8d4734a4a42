"""Where documents are searched: the embedded index, and the servers to grow on, behind one port."""
