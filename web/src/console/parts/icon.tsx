// Line icons on a 24 px grid, inlined so that none is fetched.
const PATHS = {
  home: "M4 11l8-7 8 7v8a1 1 0 0 1-1 1h-4v-6H9v6H5a1 1 0 0 1-1-1z",
  search: "M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM15.5 15.5L20 20",
  herbs: "M12 21v-9M12 14C6 14 4 10 4 5c5 0 8 3 8 9zM12 11c0-4 3-6 8-6 0 5-3 8-8 8",
  review: "M9 4h6v3H9zM15 5h3v15H6V5h3M9 13l2 2 4-4",
  memory: "M12 5a4 4 0 0 0-7 3 4 4 0 0 0 0 7 4 4 0 0 0 7 3zM12 5a4 4 0 0 1 7 3 4 4 0 0 1 0 7 4 4 0 0 1-7 3z",
  funds: "M4 20h16M5 15l4-5 4 3 6-8M15 5h4v4",
  tasks: "M4 7l2 2 3-4M4 17l2 2 3-4M12 7h8M12 17h8",
  tools: "M14 6a4 4 0 0 1 5-1l-3 3 1 2 2 1 3-3a4 4 0 0 1-6 5l-8 8-3-3 8-8z",
  ledger: "M6 3h11a2 2 0 0 1 2 2v16H7a2 2 0 0 1-2-2V4a1 1 0 0 1 1-1zM5 18a2 2 0 0 1 2-1h12M9 8h6M9 12h6",
  jobs: "M12 3a9 9 0 1 0 9 9M12 7v5l3 3M17 3l4 4M21 3v4h-4",
  evaluation: "M4 20V4M4 20h16M8 16v-4M12 16V8M16 16v-6",
  menu: "M4 7h16M4 12h16M4 17h16",
  close: "M6 6l12 12M18 6L6 18",
  check: "M5 12l5 5 9-11",
  copy: "M9 9h10v10H9zM5 15V5h10",
  play: "M8 5l11 7-11 7z",
  right: "M9 6l6 6-6 6",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
