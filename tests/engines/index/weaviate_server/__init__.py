"""A stand-in for a Weaviate server: it speaks the part of REST and gRPC that the client uses, over the published proto,
and really scores, filters and fuses its objects. It misbehaves on demand."""
