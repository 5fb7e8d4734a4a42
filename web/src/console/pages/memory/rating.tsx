// A rating after NATO's scheme: the letter judges the source, the digit what it says.
import { useWords } from "../../language";
import { MEMORY, type MemoryWords } from "./words";

export function toneOf(rating: string | null): "good" | "note" | "bad" | "plain" {
  const letter = rating?.[0] ?? "F";
  const digit = Number(rating?.[1] ?? 6);
  if (letter === "F" && digit === 6) return "plain";
  if (digit >= 5 || letter === "E") return "bad";
  return digit <= 2 && letter <= "B" ? "good" : digit <= 3 && letter <= "C" ? "good" : "note";
}

export function Rating({ value, long }: { value: string | null; long?: boolean }) {
  const words = useWords(MEMORY);
  if (!value || !/^[A-F][1-6]$/.test(value)) return null;
  const source = words[value[0] as "A"];
  const content = words[`d${value[1]}` as keyof MemoryWords];
  const said = `${words.source}: ${source} · ${words.content}: ${content}`;
  return (
    <span class={`rating ${toneOf(value)}`} title={said}>
      <b>{value}</b>
      {long ? <span>{said}</span> : <span class="aside">{said}</span>}
    </span>
  );
}
