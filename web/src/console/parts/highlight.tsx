// Marks the words of a query in a passage. The passage is always rendered as text, never as markup.

const SHORTEST = 2;

/** Splits a query into words; the browser segments Thai. */
export function splitWords(query: string, language: "en" | "th" = "th"): string[] {
  const parts = new Intl.Segmenter(language, { granularity: "word" }).segment(query.toLowerCase());
  const segments = [...parts].filter((part) => part.isWordLike).map((part) => part.segment);
  return [...new Set(segments)].filter((word) => word.length >= SHORTEST).sort((a, b) => b.length - a.length);
}

interface Piece {
  text: string;
  marked: boolean;
}

export function splitMarked(text: string, words: string[]): Piece[] {
  const lower = text.toLowerCase();
  // If lower-casing changes the length, positions do not match, so mark nothing.
  if (words.length === 0 || lower.length !== text.length) return [{ text, marked: false }];
  const pieces: Piece[] = [];
  let from = 0;
  for (let at = 0; at < text.length; ) {
    const word = words.find((candidate) => lower.startsWith(candidate, at) && startsWord(lower, at, candidate));
    if (!word) {
      at += 1;
      continue;
    }
    if (at > from) pieces.push({ text: text.slice(from, at), marked: false });
    pieces.push({ text: text.slice(at, at + word.length), marked: true });
    at += word.length;
    from = at;
  }
  if (from < text.length) pieces.push({ text: text.slice(from), marked: false });
  return pieces;
}

/** Matches Latin words only at a word start: "art" does not match in "heart". */
function startsWord(text: string, at: number, word: string): boolean {
  return !/^[a-z0-9]/.test(word) || at === 0 || !/[a-z0-9]/.test(text[at - 1] as string);
}

export function Highlight({ text, words }: { text: string; words: string[] }) {
  return (
    <>
      {splitMarked(text, words).map((piece, at) => (piece.marked ? <mark key={at}>{piece.text}</mark> : piece.text))}
    </>
  );
}

/** Selects the sentences of a long text with the most query words, in their original order. */
export function bestSentences(text: string, words: string[], most: number): string {
  const sentences = [...new Intl.Segmenter("en", { granularity: "sentence" }).segment(text)].map((sentence) => sentence.segment);
  if (sentences.length <= most) return text;
  const scored = sentences.map((sentence, at) => ({ at, hits: words.filter((word) => sentence.toLowerCase().includes(word)).length }));
  const best = scored.sort((a, b) => b.hits - a.hits || a.at - b.at).slice(0, most);
  const places = best.map((sentence) => sentence.at).sort((a, b) => a - b);
  return places.map((at, step) => (step > 0 && at !== (places[step - 1] as number) + 1 ? "… " : "") + sentences[at]).join("");
}
