"""The proof, made live, that a call has one answer whichever way it comes in."""
