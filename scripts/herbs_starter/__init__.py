"""Makes the starter graph of the herbs suite: `python -m scripts.herbs_starter FOLDER_OF_FACT_TABLES`."""
