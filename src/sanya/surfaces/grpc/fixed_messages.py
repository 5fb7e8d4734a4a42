"""The messages of the proto file that no contract has: stamps, receipts, faults, resources."""

from __future__ import annotations

from typing import Literal

STRUCT, VALUE = "google.protobuf.Struct", "google.protobuf.Value"
Label = Literal["", "optional", "repeated", "map"]
FieldRow = tuple[str, Label, str, str]
"""Name, label, kind, and what it says."""

FIXED_MESSAGES: dict[str, tuple[str, tuple[FieldRow, ...]]] = {
    "Stamp": (
        "What went in, what came out, and the seed between them.",
        (
            ("in_hash", "", "string", "SHA-256 of the canonical input."),
            ("out_hash", "", "string", "SHA-256 of the canonical answer without this stamp."),
            ("latency_ms", "", "int64", "How long the call took."),
            ("seed", "", "uint64", "The only source of randomness: the first 64 bits of in_hash."),
            ("status", "", "string", "How the call ended: ok or error."),
        ),
    ),
    "Receipt": (
        "What the ledger knows a call by.",
        (
            ("stamp", "optional", "Stamp", "The stamp of the call."),
            ("call_id", "", "string", "Finds the call in the ledger."),
            ("request_id", "", "string", "The id that the caller gave, or one that was made."),
            ("replayed", "", "bool", "Whether this is the first answer to this request id again."),
        ),
    ),
    "Fault": (
        "Why a call was refused: a detail of the status, in grpc-status-details-bin.",
        (
            ("code", "", "string", "The code, in the suite's vocabulary."),
            ("kind", "", "string", "The class of the fault, the same in all suites."),
            ("error", "optional", STRUCT, "The suite's error object, whole."),
            ("receipt", "optional", "Receipt", "The receipt of the call; absent where no call was made."),
        ),
    ),
    "ListResourcesRequest": (
        "Asks for all resources.",
        (),
    ),
    "ListResourcesResponse": (
        "Every resource there is.",
        (("resources", "repeated", "Resource", "The resources."),),
    ),
    "Resource": (
        "A resource that can be read.",
        (
            ("uri", "", "string", "The address; parts in braces are yours to fill in."),
            ("suite", "", "string", "The suite it belongs to."),
            ("name", "", "string", "Its short name."),
            ("title", "", "string", "Its name for people."),
            ("description", "", "string", "What it holds, in a sentence."),
            ("mime_type", "", "string", "The type of its content."),
            ("is_template", "", "bool", "Whether the address has parts to fill in."),
        ),
    ),
    "ReadResourceRequest": (
        "Asks for one resource.",
        (("uri", "optional", "string", "The address of the resource."),),
    ),
    "ReadResourceBody": (
        "What a resource holds.",
        (
            ("uri", "", "string", "The address that was read."),
            ("mime_type", "", "string", "What it holds."),
            ("json", "optional", STRUCT, "The content, where it is JSON."),
            ("text", "optional", "string", "The content, where it is text of another type."),
        ),
    ),
}
