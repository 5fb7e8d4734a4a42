// The building blocks of pages.
export { CodeBlock, CopyButton } from "./code";
export { Dialog } from "./dialog";
export { AreaField, CheckField, Choices, Field, SelectField, TextField } from "./forms";
export { Highlight, bestSentences, splitWords } from "./highlight";
export { Icon, type IconName } from "./icon";
export { ChipsField, type CompletionSource, AutocompleteField } from "./autocomplete";
export { type Part, StackedBar } from "./stacked_bar";
export { Empty, ErrorBox, LoadedView, Spinner } from "./states";
export { Badge, Bar, Card, Facts, PageHead, Sparkline, type Tone } from "./containers";
export { type Column, SavedTable, Table } from "./table";
export { InlineCode } from "./inline_code";
export { SaveRows, SavedDrawing } from "./exports";
export type { Cell, FileRow } from "../../save";
