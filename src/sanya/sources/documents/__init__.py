"""Documents of the owner's own folders, read into pages of text: what they hold is foreign, so each is parsed in a
process of its own that has little to lose."""
