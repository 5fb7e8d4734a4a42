-- additive
-- What awaits its vectors is found without a look at all that ever did, and in its order. What is new has neither come late
-- nor ended: it need not enter the indexes by which those are found.
CREATE INDEX retrieval_late_vectors_awaited ON retrieval_late_vectors (namespace, partition_name, position)
WHERE seq IS NULL;

DROP INDEX retrieval_late_vectors_by_seq;

CREATE INDEX retrieval_late_vectors_by_seq ON retrieval_late_vectors (namespace, partition_name, seq)
WHERE seq IS NOT NULL;

DROP INDEX retrieval_documents_by_end;

CREATE INDEX retrieval_documents_by_end ON retrieval_documents (namespace, partition_name, to_seq)
WHERE to_seq IS NOT NULL;
