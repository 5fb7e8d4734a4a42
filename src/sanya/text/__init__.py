"""Reading Thai and English: normalise, detect, segment, romanise, split, count. Pure functions that take any string."""
