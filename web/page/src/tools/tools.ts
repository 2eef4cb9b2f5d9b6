// The tools of the session as the page shows them: keys and icons. Names, summaries and effects are the session's.
import { sessionTools, type Engine, type SessionTool } from "pliant";

export interface Tool {
  id: SessionTool;
  label: string;
  /** Its effect, in a sentence or two. */
  tip: string;
  key: string;
  icon: string;
  /** Also works beside cloth. */
  isFree: boolean;
  hasRadius: boolean;
  /** Shows nothing until time runs. */
  needsTime: boolean;
}

/** In the order of the buttons. */
export const LOOKS: { id: SessionTool; key: string; icon: string; needsTime?: boolean }[] = [
  { id: "grab", key: "g", needsTime: true, icon: "M8 13V6a2 2 0 0 1 4 0v6V4a2 2 0 0 1 4 0v8V6a2 2 0 0 1 4 0v10c0 5-3 8-7 8-4 0-5-1-7-4l-4-6c-1-2 1-4 3-2l3 3" },
  { id: "pin", key: "p", icon: "M12 22v-7 M8 3h8l-1 6 3 4H6l3-4z" },
  { id: "brush", key: "n", icon: "M4 20c3 1 6 0 6-3a3 3 0 0 0-6 0c0 1-1 2-2 2 M10 15L20 4c1-1 2 0 1 1L12 17" },
  { id: "cut", key: "c", icon: "M6 9a3 3 0 1 0 0-6 3 3 0 0 0 0 6z M6 21a3 3 0 1 0 0-6 3 3 0 0 0 0 6z M8 8l13 10 M8 16L21 6" },
  { id: "ball", key: "b", needsTime: true, icon: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18z M4 9c5 3 11 3 16 0" },
  { id: "blow", key: "v", needsTime: true, icon: "M3 8h11a3 3 0 1 0-3-3 M3 12h16a3 3 0 1 1-3 3 M3 16h8a3 3 0 1 1-3 3" },
  { id: "pump", key: "u", needsTime: true, icon: "M12 3v10 M8 9l4 4 4-4 M5 17c0 6 14 6 14 0s-14-6-14 0" },
  { id: "move", key: "t", needsTime: true, icon: "M12 3v18 M3 12h18 M9 6l3-3 3 3 M9 18l3 3 3-3 M6 9l-3 3 3 3 M18 9l3 3-3 3" },
];

export function toolsOf(engine: Engine): Tool[] {
  const rows = sessionTools(engine);
  return LOOKS.map(({ id, key, icon, needsTime = false }) => {
    const { name, summary, free, hasRadius } = rows.find((one) => one.id === id)!;
    return { id, label: name, tip: summary, key, icon, isFree: free, hasRadius, needsTime };
  });
}
