"""The Model Context Protocol over stdio and streamable HTTP, in both protocol eras."""
