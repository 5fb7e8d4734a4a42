"""What a configured model finds in memories beside what the rules found. Nothing here is needed, and nothing it says is
believed that is not in the memory's own words."""
