// The safety check. What is not known is shown as loudly as what is: silence is never read as safe.
import { useEffect, useState } from "preact/hooks";
import { callTool } from "../../api";
import { useLanguage, useWords } from "../../language";
import { useLoaded } from "../../loading";
import { Badge, Card, ChipsField, Shown, Spinner, type Tone } from "../../parts";
import { go, to } from "../../router";
import { type Checked, Warnings } from "./warnings";
import { HERBS } from "./words";

const FIELDS = ["herbs", "formulations", "drugs", "conditions"] as const;
type FieldName = (typeof FIELDS)[number];
type Given = Record<FieldName, string[]>;
const ARGUMENTS: Record<FieldName, string> = { herbs: "herb_ids", formulations: "formulation_ids", drugs: "drugs", conditions: "conditions" };
const NOTHING: Record<FieldName, string> = { herbs: "", formulations: "", drugs: "", conditions: "" };
// Parts of a list in the address; names have commas in them at times, never this.
const BETWEEN = "|";

function read(params: URLSearchParams): Given {
  const list = (name: FieldName) => (params.get(name) ?? "").split(BETWEEN).filter((one) => one.trim() !== "");
  return { herbs: list("herbs"), formulations: list("formulations"), drugs: list("drugs"), conditions: list("conditions") };
}

function address(given: Given): string {
  return to("herbs", ["safety"], Object.fromEntries(FIELDS.map((name) => [name, given[name].join(BETWEEN)])));
}

export function Safety({ params }: { params: URLSearchParams }) {
  const words = useWords(HERBS);
  const language = useLanguage();
  const asked = read(params);
  const kept = address(asked);
  const [given, setGiven] = useState(asked);
  const [typed, setTyped] = useState(NOTHING);
  useEffect(() => {
    setGiven(read(params));
    setTyped(NOTHING);
  }, [kept]);
  // What stands in a field is meant, chosen or not: leaving it out would be a check of something else.
  const meant = Object.fromEntries(FIELDS.map((name) => [name, [...new Set([...given[name], typed[name].trim()])].filter(Boolean)])) as Given;
  const enough = asked.herbs.length + asked.formulations.length > 0;
  const args = Object.fromEntries(FIELDS.map((name) => [ARGUMENTS[name], asked[name]]));
  const loaded = useLoaded(
    async (signal) => (enough ? (await callTool<Checked>("tool.find_contraindications", { ...args, lang: language, limit: 200 }, { signal })).data : null),
    [kept, language],
  );
  const field = (name: FieldName, label: string, prompt: string, argument: string, hint: string) => (
    <ChipsField label={label} offer={{ prompt, argument }} values={given[name]} onValues={(values) => setGiven({ ...given, [name]: values })} typed={typed[name]} onTyped={(text) => setTyped({ ...typed, [name]: text })} hint={hint} remove={words.remove} />
  );
  const example: Given = { herbs: ["ขมิ้นชัน"], formulations: [], drugs: ["warfarin"], conditions: [words.pregnancy] };
  return (
    <div class="columns">
      <Card title={words.safety}>
        <form
          class="stack"
          onSubmit={(event) => {
            event.preventDefault();
            go(address(meant));
          }}
        >
          <p class="dim">{words.checkLead}</p>
          {field("herbs", words.herbsField, "herb_safety", "herb", words.anyName)}
          {field("formulations", words.formulationsField, "herb_safety", "formulations", words.anyName)}
          {field("drugs", words.drugsField, "herb_safety", "drugs", words.leaveOut)}
          {field("conditions", words.conditionsField, "herb_safety", "conditions", words.leaveOut)}
          <div class="buttons">
            <button type="submit" class="main">
              {words.check}
            </button>
            {!enough && (
              <a class="button" href={address(example)}>
                {words.tryThese}: ขมิ้นชัน + warfarin
              </a>
            )}
          </div>
          {meant.herbs.length + meant.formulations.length === 0 && <p class="hint">{words.needOne}</p>}
        </form>
      </Card>
      <div class="stack" aria-live="polite" aria-busy={loaded.busy}>
        {enough && loaded.value === null && !loaded.error ? <Spinner /> : enough && <Shown loaded={loaded}>{(found) => found && <Outcome found={found} given={asked} />}</Shown>}
      </div>
    </div>
  );
}

function Outcome({ found, given }: { found: Checked; given: Given }) {
  const words = useWords(HERBS);
  return (
    <>
      <p class="notice loud">{found.notice}</p>
      {found.unresolved.length > 0 && <Unresolved found={found} given={given} />}
      <Card title={words.results.replace("{n}", String(found.total))}>
        {found.results.length === 0 ? (
          <p>
            <strong>{words.noResults}.</strong> {words.noResultsHint}
          </p>
        ) : (
          <Warnings warnings={found.results} most={20} named={given.herbs.length + given.formulations.length > 1} />
        )}
      </Card>
      <Card title={words.coverage}>
        <ul class="coverage">
          {found.coverage.map((one) => (
            <Coverage key={one.entity_id} one={one} />
          ))}
        </ul>
      </Card>
    </>
  );
}

const COVERED: Record<Checked["coverage"][number]["status"], Tone> = { recorded: "good", inherited_only: "note", none: "bad" };

function Coverage({ one }: { one: Checked["coverage"][number] }) {
  const words = useWords(HERBS);
  const count = one.status === "recorded" ? one.own + one.inherited : one.inherited;
  return (
    <li>
      <p class="row">
        <code>{one.entity_id}</code>
        <Badge tone={COVERED[one.status] ?? "bad"}>{words[`c_${one.status}`].replace("{n}", String(count))}</Badge>
      </p>
      {one.silent_ingredients.length > 0 && (
        <p>
          <b>{words.silent}:</b> {one.silent_ingredients.join(", ")}
        </p>
      )}
      {one.unidentified_ingredients.length > 0 && (
        <p>
          <b>{words.unidentified}:</b> {one.unidentified_ingredients.join(", ")}
        </p>
      )}
      {one.note && <p class="dim">{one.note}</p>}
    </li>
  );
}

function Unresolved({ found, given }: { found: Checked; given: Given }) {
  const words = useWords(HERBS);
  const fieldOf = (argument: string) => FIELDS.find((name) => ARGUMENTS[name] === argument) ?? "herbs";
  const instead = (field: FieldName, before: string, after: string) => address({ ...given, [field]: given[field].map((one) => (one === before ? after : one)) });
  return (
    <section class="card unresolved" role="alert">
      <h2>{words.unresolved}</h2>
      <ul>
        {found.unresolved.map((one) => (
          <li key={`${one.field} ${one.given}`}>
            <strong>{one.given}</strong> {words[`u_${one.reason}`]}
            {one.candidates.length > 0 && (
              <span class="row">
                {words.meant}
                {one.candidates.map((candidate) => (
                  <a key={candidate.id} class="button" href={instead(fieldOf(one.field), one.given, candidate.id)}>
                    {candidate.label}
                  </a>
                ))}
              </span>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
