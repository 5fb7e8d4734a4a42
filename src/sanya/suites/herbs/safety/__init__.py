"""tool.find_contraindications: the check of herbs and formulations against drugs and conditions."""
