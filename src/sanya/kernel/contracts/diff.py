"""Compares two versions of a contract: lists every difference by kind and tells breaking kinds from additive ones.

Callers may keep sending what they sent, so inputs may only widen. They may keep relying on what they read, so answers
may only narrow.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from sanya.kernel.contracts.schema_diff import compare_schemas

Contract = Mapping[str, Any]

_SHOWN_CHARS = 60

BREAKING = {
    "removed_tool": "a tool is gone",
    "moved_tool": "a tool belongs to another suite or answers to another portable name",
    "changed_effect": "a read became a write, or a write a read",
    "changed_term": "another term of the contract changed or is gone",
    "added_scope": "a caller needs one more scope",
    "shortened_timeout": "a tool gives up sooner",
    "removed_error_code": "an error code is gone",
    "changed_hash_exclusions": "other fields are left out of the answer's hash",
    "removed_redaction": "a field that was kept out of the ledger is written there",
    "removed_input_field": "an argument is gone",
    "new_required_input": "a new argument must be given",
    "input_became_required": "an optional argument must be given",
    "narrowed_input_type": "an argument no longer takes a type",
    "removed_input_value": "an argument no longer takes one of its values",
    "tightened_input_bound": "an argument's bound, pattern or list of values takes less",
    "changed_default": "an argument that is left out means something else",
    "changed_input_rule": "an argument's pattern, format or other rule changed",
    "closed_input": "an argument no longer takes fields that are not listed",
    "removed_input_alternative": "an argument no longer takes one of its alternatives",
    "removed_output_field": "a field of the answer is gone",
    "output_no_longer_guaranteed": "a field of the answer may be absent",
    "widened_output_type": "a field of the answer may have another type",
    "added_output_value": "a field of the answer may have a value that was not listed",
    "loosened_output_bound": "a field of the answer may exceed its bound, pattern or list of values",
    "changed_output_rule": "a field's pattern, format or other rule changed",
    "opened_output": "the answer may hold fields that are not listed",
    "added_output_alternative": "a field of the answer may take another form",
}
ADDITIVE = {
    "new_tool": "a tool is new",
    "new_term": "the contract says one thing more about a tool",
    "removed_scope": "a caller needs one scope less",
    "lengthened_timeout": "a tool may take longer",
    "added_error_code": "an error code is new",
    "added_redaction": "one more field is kept out of the ledger",
    "changed_wording": "a description, a title or an example changed",
    "new_input_field": "an optional argument is new",
    "input_became_optional": "an argument may be left out",
    "widened_input_type": "an argument takes one more type",
    "added_input_value": "an argument takes one more value",
    "loosened_input_bound": "an argument's bound, pattern or list of values takes more",
    "opened_input": "an argument takes fields that are not listed",
    "added_input_alternative": "an argument takes one more alternative",
    "new_output_field": "a field of the answer is new",
    "output_newly_guaranteed": "a field of the answer is always there",
    "narrowed_output_type": "a field of the answer no longer has one of its types",
    "removed_output_value": "a field of the answer no longer has one of its values",
    "tightened_output_bound": "a field of the answer keeps within a closer bound, pattern or list of values",
    "closed_output": "the answer holds no field that is not listed",
    "removed_output_alternative": "a field of the answer no longer takes one of its forms",
}

# The kind of difference that a schema change is on the input side and on the output side.
_KINDS = {
    "field_removed": ("removed_input_field", "removed_output_field"),
    "field_added": ("new_input_field", "new_output_field"),
    "required_field_added": ("new_required_input", "new_output_field"),
    "became_required": ("input_became_required", "output_newly_guaranteed"),
    "became_optional": ("input_became_optional", "output_no_longer_guaranteed"),
    "type_narrowed": ("narrowed_input_type", "narrowed_output_type"),
    "type_widened": ("widened_input_type", "widened_output_type"),
    "value_removed": ("removed_input_value", "removed_output_value"),
    "value_added": ("added_input_value", "added_output_value"),
    "tightened": ("tightened_input_bound", "tightened_output_bound"),
    "loosened": ("loosened_input_bound", "loosened_output_bound"),
    "rule_changed": ("changed_input_rule", "changed_output_rule"),
    # An answer always carries the field, so its default never matters to a reader.
    "default_changed": ("changed_default", "changed_wording"),
    "closed": ("closed_input", "closed_output"),
    "opened": ("opened_input", "opened_output"),
    "alternative_removed": ("removed_input_alternative", "removed_output_alternative"),
    "alternative_added": ("added_input_alternative", "added_output_alternative"),
    "wording_changed": ("changed_wording", "changed_wording"),
}


@dataclass(frozen=True, slots=True)
class ContractDifference:
    tool: str
    kind: str
    where: str
    says: str

    @property
    def breaking(self) -> bool:
        return self.kind in BREAKING

    def __str__(self) -> str:
        return f"{self.tool}: {self.where} {self.says} ({self.kind})"


def diff_catalogues(old: Mapping[str, Contract], new: Mapping[str, Contract]) -> list[ContractDifference]:
    """Return every difference between two sets of contracts, keyed by tool name; breaking ones come first."""
    found = [ContractDifference(name, "removed_tool", "the tool", "is gone") for name in old if name not in new]
    for name, contract in new.items():
        if name in old:
            found += diff_contracts(old[name], contract)
        else:
            found.append(ContractDifference(name, "new_tool", "the tool", "is new"))
    return sorted(
        found, key=lambda difference: (not difference.breaking, difference.tool, difference.where, difference.kind)
    )


def diff_contracts(old: Contract, new: Contract) -> list[ContractDifference]:
    """Return every difference between two contracts of one tool."""
    return [
        ContractDifference(old["name"], kind, where, says)
        for differences in (_diff_terms(old, new), _diff_lists(old, new), _diff_schemas(old, new))
        for kind, where, says in differences
    ]


_TERMS = {
    "suite": "moved_tool",
    "portable_name": "moved_tool",
    "effect": "changed_effect",
    "title": "changed_wording",
    "description": "changed_wording",
    "examples": "changed_wording",
}
_LISTS = {
    "scopes": ("added_scope", "removed_scope"),
    "errors": ("added_error_code", "removed_error_code"),
    "redacted": ("added_redaction", "removed_redaction"),
    "unhashed": ("changed_hash_exclusions", "changed_hash_exclusions"),
}
_SIDES = ("input", "output")


def _diff_terms(old: Contract, new: Contract) -> Iterator[tuple[str, str, str]]:
    for term in sorted({*old, *new} - {*_LISTS, *_SIDES}):
        if term not in old:
            yield "new_term", term, f"is {new[term]!r}"
        elif term not in new:
            yield "changed_term", term, "is gone"
        elif old[term] != new[term]:
            yield _classify_term(term, old, new), term, f"went from {_shorten(old[term])} to {_shorten(new[term])}"


def _classify_term(term: str, old: Contract, new: Contract) -> str:
    if term == "timeout_ms":
        return "shortened_timeout" if new[term] < old[term] else "lengthened_timeout"
    return _TERMS.get(term, "changed_term")


def _diff_lists(old: Contract, new: Contract) -> Iterator[tuple[str, str, str]]:
    for term, (added, removed) in _LISTS.items():
        before, after = set(old[term]), set(new[term])
        for item in sorted(after - before):
            yield added, term, f"now has {item}"
        for item in sorted(before - after):
            yield removed, term, f"no longer has {item}"


def _diff_schemas(old: Contract, new: Contract) -> Iterator[tuple[str, str, str]]:
    for index, side in enumerate(_SIDES):
        for change in compare_schemas(old[side], new[side], side):
            yield _KINDS[change.event][index], change.where, change.says


def _shorten(value: Any) -> str:
    shown = repr(value)
    return shown if len(shown) <= _SHOWN_CHARS else f"{shown[:_SHOWN_CHARS]}…"
