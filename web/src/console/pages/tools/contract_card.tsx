import { milliseconds } from "../../format";
import { useLanguage, useWords } from "../../language";
import { Badge, Card, type Column, Facts, Table } from "../../parts";
import { type FieldRow, type Schema, type ToolContract, fieldRows } from "./contract";
import { WORDS } from "./words";

export function ContractCard({ tool }: { tool: ToolContract }) {
  const words = useWords(WORDS);
  const language = useLanguage();
  const codes = (all: string[]) => (
    <span class="row tight">
      {all.map((one) => (
        <code key={one}>{one}</code>
      ))}
    </span>
  );
  return (
    <Card title={words.contract}>
      <div class="stack">
        <Facts
          facts={[
            [words.scopes, codes(tool.scopes)],
            [words.time, milliseconds(tool.timeout_ms, language)],
            [words.errors, codes(tool.errors)],
            ...(tool.portable_name === tool.name ? [] : [[words.also, <code>{tool.portable_name}</code>] as [string, preact.JSX.Element]]),
          ]}
        />
        <Fields title={words.takes} schema={tool.input_schema} open />
        <Fields title={words.answers} schema={tool.output_schema} />
      </div>
    </Card>
  );
}

function Fields({ title, schema, open }: { title: string; schema: Schema; open?: boolean }) {
  const words = useWords(WORDS);
  const columns: Column<FieldRow>[] = [
    {
      name: "path",
      title: words.field,
      show: (row) => (
        <>
          <code>{row.path}</code> {row.required && <Badge>{words.required}</Badge>}
        </>
      ),
    },
    { name: "kind", title: words.kind, show: (row) => row.kind },
    { name: "bounds", title: words.bounds, show: (row) => <span class="bounds">{row.bounds}</span> },
    { name: "means", title: words.means, show: (row) => row.description },
  ];
  return (
    <details class="contract-fields" open={open}>
      <summary>{title}</summary>
      <Table label={title} columns={columns} rows={fieldRows(schema)} keyOf={(row) => row.path} />
    </details>
  );
}
