// The safety check. Unknowns are as prominent as warnings, because missing data does not mean safe.
import { useEffect, useRef, useState } from "preact/hooks";
import { callTool } from "../../api";
import { useLanguage, useTexts } from "../../language";
import { useLoaded } from "../../loading";
import { Badge, Card, ChipsField, type FileRow, Icon, LoadedView, SaveRows, Spinner, type Tone } from "../../parts";
import { navigate, buildHref } from "../../router";
import { Matrix, shortId } from "./matrix";
import { LabelsContext, type NameOf, useLabels, useNames } from "./labels";
import { PrintedSheet } from "./printed_sheet";
import { type SafetyAnswer, type Warning, Warnings, listMentioned } from "./warnings";
import { HERBS } from "./texts";

const FIELDS = ["herbs", "formulations", "drugs", "conditions"] as const;
type FieldName = (typeof FIELDS)[number];
type SafetyInput = Record<FieldName, string[]>;
const ARGUMENTS: Record<FieldName, string> = { herbs: "herb_ids", formulations: "formulation_ids", drugs: "drugs", conditions: "conditions" };
const NOTHING: Record<FieldName, string> = { herbs: "", formulations: "", drugs: "", conditions: "" };
// Separates list items in the address; names may contain commas but never this character.
const BETWEEN = "|";
const MOST_ASKED = 20;
const MOST_OTHERS = 5;

function parseInput(params: URLSearchParams): SafetyInput {
  const list = (name: FieldName) => (params.get(name) ?? "").split(BETWEEN).filter((item) => item.trim() !== "");
  return { herbs: list("herbs"), formulations: list("formulations"), drugs: list("drugs"), conditions: list("conditions") };
}

function buildAddress(given: SafetyInput): string {
  return buildHref("herbs", ["safety"], Object.fromEntries(FIELDS.map((name) => [name, given[name].join(BETWEEN)])));
}

export function Safety({ params }: { params: URLSearchParams }) {
  const texts = useTexts(HERBS);
  const language = useLanguage();
  const input = parseInput(params);
  const currentAddress = buildAddress(input);
  const [selected, setSelected] = useState(input);
  const [typed, setTyped] = useState(NOTHING);
  const shownAddress = useRef(currentAddress);
  useEffect(() => {
    // Not when the page opens: an effect runs late on a busy machine, and would drop what is typed meanwhile.
    if (shownAddress.current === currentAddress) return;
    shownAddress.current = currentAddress;
    setSelected(parseInput(params));
    setTyped(NOTHING);
  }, [currentAddress]);
  // Typed text counts even if it was not chosen; without it the check would cover something else.
  const complete = Object.fromEntries(FIELDS.map((name) => [name, [...new Set([...selected[name], typed[name].trim()])].filter(Boolean)])) as SafetyInput;
  const enough = input.herbs.length + input.formulations.length > 0;
  const args = Object.fromEntries(FIELDS.map((name) => [ARGUMENTS[name], input[name]]));
  const loaded = useLoaded(
    async (signal) => (enough ? (await callTool<SafetyAnswer>("tool.find_contraindications", { ...args, lang: language, limit: 200 }, { signal })).data : null),
    [currentAddress, language],
  );
  const labelOf = useLabels(FIELDS.flatMap((name) => selected[name]));
  const nameOf = (value: string) => labelOf(value) ?? shortId(value);
  const field = (name: FieldName, label: string, prompt: string, argument: string, hint: string) => (
    <ChipsField nameOf={nameOf} label={label} completions={{ prompt, argument }} values={selected[name]} onValues={(values) => setSelected({ ...selected, [name]: values })} typed={typed[name]} onTyped={(text) => setTyped({ ...typed, [name]: text })} hint={hint} remove={texts.remove} />
  );
  const example: SafetyInput = { herbs: ["ขมิ้นชัน"], formulations: [], drugs: ["warfarin"], conditions: [texts.pregnancy] };
  return (
    <div class="columns">
      <Card title={texts.safety}>
        <form
          class="stack"
          onSubmit={(event) => {
            event.preventDefault();
            navigate(buildAddress(complete));
          }}
        >
          <p class="dim">{texts.checkLead}</p>
          {field("herbs", texts.herbsField, "herb_safety", "herb", texts.anyName)}
          {field("formulations", texts.formulationsField, "herb_safety", "formulations", texts.anyName)}
          {field("drugs", texts.drugsField, "herb_safety", "drugs", texts.leaveOut)}
          {field("conditions", texts.conditionsField, "herb_safety", "conditions", texts.leaveOut)}
          <div class="buttons">
            <button type="submit" class="main">
              {texts.check}
            </button>
            {!enough && (
              <a class="button" href={buildAddress(example)}>
                {texts.tryThese}: ขมิ้นชัน + warfarin
              </a>
            )}
          </div>
          {complete.herbs.length + complete.formulations.length === 0 && <p class="hint">{texts.needOne}</p>}
        </form>
      </Card>
      <div class="stack" aria-live="polite" aria-busy={loaded.busy}>
        {enough && loaded.value === null && !loaded.error ? <Spinner /> : enough && <LoadedView loaded={loaded}>{(answer) => answer && <SafetyResult answer={answer} given={input} />}</LoadedView>}
      </div>
    </div>
  );
}

function SafetyResult({ answer, given }: { answer: SafetyAnswer; given: SafetyInput }) {
  const nameOf = useLabels([
    ...answer.pairs.flatMap((pair) => [...(pair.entity_id ? [pair.entity_id] : []), ...pair.object_ids]),
    ...answer.coverage.flatMap((entity) => [entity.entity_id, ...entity.silent_ingredients]),
    ...listMentioned(answer.results),
    ...answer.results.map((warning) => warning.object_id),
  ]);
  return (
    <LabelsContext.Provider value={nameOf}>
      <SafetySheet answer={answer} given={given} />
      <PrintedSheet answer={answer} />
    </LabelsContext.Provider>
  );
}

function SafetySheet({ answer, given }: { answer: SafetyAnswer; given: SafetyInput }) {
  const texts = useTexts(HERBS);
  const nameOf = useNames();
  const asked = answer.results.filter((warning) => warning.narrowed);
  const others = answer.results.filter((warning) => !warning.narrowed);
  const names = answer.coverage.length > 1 ? nameEntities(answer) : undefined;
  return (
    <div class="stack no-print">
      <div class="row between">
        <span />
        <div class="row">
          <button type="button" onClick={() => print()}>
            <Icon name="print" /> {texts.print}
          </button>
        </div>
      </div>
      {answer.unresolved.length > 0 && <Unresolved answer={answer} given={given} />}
      {answer.pairs.length > 0 && <Matrix pairs={answer.pairs} />}
      <Card title={texts.results.replace("{n}", String(others.length > 0 ? asked.length : answer.total))}>
        {asked.length === 0 ? (
          <p>
            <strong>{texts.noResults}.</strong> {texts.noResultsHint}
          </p>
        ) : (
          <Warnings answer={answer} warnings={asked} most={MOST_ASKED} names={names} />
        )}
      </Card>
      {others.length > 0 && (
        <Card title={texts.notNarrowed}>
          <Warnings answer={answer} warnings={others} most={MOST_OTHERS} names={names} />
        </Card>
      )}
      {answer.results.length < answer.total && <p>{texts.firstOnly.replace("{n}", String(answer.results.length)).replace("{total}", String(answer.total))}</p>}
      <Card title={texts.coverage}>
        <ul class="coverage">
          {answer.coverage.map((entity) => (
            <Coverage key={entity.entity_id} one={entity} name={names?.get(entity.entity_id) ?? entity.label} />
          ))}
        </ul>
      </Card>
      <p class="notice loud">{answer.notice}</p>
      <SaveRows name="safety-check" rows={() => answer.results.map((warning) => toRow(warning, nameOf))} />
    </div>
  );
}

function toRow(warning: Warning, nameOf: NameOf): FileRow {
  return {
    entity_id: warning.entity_id,
    entity: nameOf(warning.entity_id),
    object_id: warning.object_id,
    object: warning.contraindication,
    severity: warning.severity,
    strength: warning.strength,
    effect: warning.effect ?? warning.evidence,
    management: warning.management,
    review: warning.review,
    sources: warning.sources.join("; "),
  };
}

/** Returns the names of the entities, with their ids where several have the same name. */
function nameEntities(answer: SafetyAnswer): Map<string, string> {
  const labels = answer.coverage.map((entity) => entity.label);
  const isShared = (label: string) => labels.indexOf(label) !== labels.lastIndexOf(label);
  return new Map(answer.coverage.map((entity) => [entity.entity_id, isShared(entity.label) ? `${entity.label} (${shortId(entity.entity_id)})` : entity.label]));
}

const COVERED: Record<SafetyAnswer["coverage"][number]["status"], Tone> = { recorded: "good", inherited_only: "note", none: "bad" };

function Coverage({ one: entity, name }: { one: SafetyAnswer["coverage"][number]; name: string }) {
  const texts = useTexts(HERBS);
  const nameOf = useNames();
  const count = entity.status === "recorded" ? entity.own + entity.inherited : entity.inherited;
  return (
    <li>
      <p class="row">
        <strong>{name}</strong>
        <Badge tone={COVERED[entity.status] ?? "bad"}>{texts[`c_${entity.status}`].replace("{n}", String(count))}</Badge>
      </p>
      {entity.silent_ingredients.length > 0 && (
        <p>
          <b>{texts.silent}:</b> {entity.silent_ingredients.map((id) => nameOf(id) ?? id).join(", ")}
        </p>
      )}
      {entity.unidentified_ingredients.length > 0 && (
        <p>
          <b>{texts.unidentified}:</b> {entity.unidentified_ingredients.join(", ")}
        </p>
      )}
      {entity.note && <p class="dim">{entity.note}</p>}
    </li>
  );
}

function Unresolved({ answer, given }: { answer: SafetyAnswer; given: SafetyInput }) {
  const texts = useTexts(HERBS);
  const fieldOf = (argument: string) => FIELDS.find((name) => ARGUMENTS[name] === argument) ?? "herbs";
  const replaceName = (field: FieldName, before: string, after: string) =>
    navigate(buildAddress({ ...given, [field]: given[field].map((name) => (name === before ? after : name)) }));
  return (
    <section class="card unresolved" role="alert">
      <h2>{texts.unresolved}</h2>
      <ul>
        {answer.unresolved.map((entry) => (
          <li key={`${entry.field} ${entry.given}`}>
            {entry.message}
            {entry.candidates.length > 0 && (
              <span class="row">
                {texts.meant}
                {entry.candidates.map((candidate) => (
                  <button key={candidate.id} type="button" onClick={() => replaceName(fieldOf(entry.field), entry.given, candidate.id)}>
                    {candidate.label} <small>{shortId(candidate.id)}</small>
                  </button>
                ))}
              </span>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
