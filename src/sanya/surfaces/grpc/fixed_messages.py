"""The messages of the proto file that come from no contract: stamps, receipts, faults, resources."""

from __future__ import annotations

from typing import Literal

STRUCT, VALUE = "google.protobuf.Struct", "google.protobuf.Value"
Label = Literal["", "optional", "repeated", "map"]
FieldRow = tuple[str, Label, str, str]
"""Name, label, kind and comment of a field."""

FIXED_MESSAGES: dict[str, tuple[str, tuple[FieldRow, ...]]] = {
    "Stamp": (
        "Hashes of the input and the answer, and the seed of the call.",
        (
            ("in_hash", "", "string", "SHA-256 of the canonical input."),
            ("out_hash", "", "string", "SHA-256 of the canonical answer without this stamp."),
            ("latency_ms", "", "int64", "Duration of the call in milliseconds."),
            ("seed", "", "uint64", "The only source of randomness: the first 64 bits of in_hash."),
            ("status", "", "string", "ok or error."),
        ),
    ),
    "Receipt": (
        "Identifies a call in the ledger.",
        (
            ("stamp", "optional", "Stamp", "The stamp of the call."),
            ("call_id", "", "string", "Finds the call in the ledger."),
            ("request_id", "", "string", "The id that the caller gave, or a generated one."),
            ("replayed", "", "bool", "True if this is the stored first answer to this request id."),
        ),
    ),
    "Fault": (
        "Why a call was refused. Sent as a detail of the status, in grpc-status-details-bin.",
        (
            ("code", "", "string", "The error code in the suite's vocabulary."),
            ("kind", "", "string", "The class of the fault, the same in all suites."),
            ("error", "optional", STRUCT, "The suite's complete error object."),
            ("receipt", "optional", "Receipt", "The receipt of the call; absent where no call was made."),
        ),
    ),
    "ListResourcesRequest": (
        "Requests the list of resources.",
        (),
    ),
    "ListResourcesResponse": (
        "Every resource.",
        (("resources", "repeated", "Resource", "The resources."),),
    ),
    "Resource": (
        "A resource that can be read.",
        (
            ("uri", "", "string", "The URI. Fill in the parts in braces."),
            ("suite", "", "string", "The suite it belongs to."),
            ("name", "", "string", "Its short name."),
            ("title", "", "string", "Its display name."),
            ("description", "", "string", "A sentence on what it holds."),
            ("mime_type", "", "string", "The type of its content."),
            ("is_template", "", "bool", "True if the URI has parts to fill in."),
        ),
    ),
    "ReadResourceRequest": (
        "Requests one resource.",
        (("uri", "optional", "string", "The URI of the resource."),),
    ),
    "ReadResourceBody": (
        "The content of a resource.",
        (
            ("uri", "", "string", "The URI that was read."),
            ("mime_type", "", "string", "The type of the content."),
            ("json", "optional", STRUCT, "The content, if it is JSON."),
            ("text", "optional", "string", "The content, if it is text of another type."),
        ),
    ),
}
