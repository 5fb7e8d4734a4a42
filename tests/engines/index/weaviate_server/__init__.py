"""A stand-in for a Weaviate server, not Weaviate: it speaks the part of its REST and gRPC wire that the adapter's
client uses, over the published proto, and really scores, filters and fuses what it holds. It misbehaves on demand."""
