// What pages are made of.
export { CodeBlock, CopyButton } from "./code";
export { Dialog } from "./dialog";
export { AreaField, CheckField, Choices, Field, SelectField, TextField } from "./forms";
export { Highlight, bestSentences, wordsOf } from "./highlight";
export { Icon, type IconName } from "./icon";
export { ChipsField, type Offer, OfferedField } from "./offered";
export { type Part, StackedBar } from "./stacked";
export { Empty, ErrorBox, Shown, Spinner } from "./states";
export { Badge, Bar, Card, Facts, PageHead, Sparkline, type Tone } from "./surfaces";
export { type Column, Table } from "./table";
export { Told } from "./told";
