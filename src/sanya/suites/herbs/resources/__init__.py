"""The resources kg://herb/{id}, paper://pmid/{id} and kg://{type}/{id}."""
