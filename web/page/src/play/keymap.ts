// The key map: one table for the keys, the dialog that lists them and the tooltips.
export type Action =
  | "toggle" | "step" | "back" | "reset" | "faster" | "slower" | "tool" | "smaller" | "larger" | "swap" | "sideBySide" | "frame" | "home" | "wireframe" | "nextColours" | "previousColours"
  | "hide" | "describe" | "learn" | "keys" | "escape" | "undo" | "redo";
export interface Key {
  act: Action;
  label: string;
  /** As the dialog and tooltips write it. */
  shown: string;
  /** Values of KeyboardEvent.key; letters in lower case. */
  keys: string[];
  /** With Ctrl (Cmd), or with Shift; a key without `shift` acts with and without it. */
  ctrl?: boolean;
  shift?: boolean;
}

export const KEYS: Key[] = [
  { act: "toggle", label: "Play / Pause", shown: "Space", keys: [" "] },
  { act: "step", label: "Step; with Shift ten frames", shown: "Right .", keys: ["ArrowRight", ".", ">"] },
  { act: "back", label: "Back one frame; with Shift ten frames", shown: "Left ,", keys: ["ArrowLeft", ",", "<"] },
  { act: "reset", label: "Start over", shown: "Backspace", keys: ["Backspace"] },
  { act: "faster", label: "Faster", shown: "+", keys: ["+", "="] },
  { act: "slower", label: "Slower", shown: "-", keys: ["-"] },
  { act: "tool", label: "Grab", shown: "G", keys: ["g"] },
  { act: "tool", label: "Pin; on a pin: free it", shown: "P", keys: ["p"] },
  { act: "tool", label: "Brush; again: the next quantity to paint", shown: "N", keys: ["n"] },
  { act: "tool", label: "Cut", shown: "C", keys: ["c"] },
  { act: "tool", label: "Ball", shown: "B", keys: ["b"] },
  { act: "tool", label: "Blow", shown: "V", keys: ["v"] },
  { act: "tool", label: "Pump; with Shift deflate", shown: "U", keys: ["u"] },
  { act: "tool", label: "Move a collider or a pin", shown: "T", keys: ["t"] },
  { act: "smaller", label: "Smaller radius of Grab, Pin and Brush", shown: "[", keys: ["["] },
  { act: "larger", label: "Larger radius", shown: "]", keys: ["]"] },
  { act: "sideBySide", label: "Values A and B side by side", shown: "Shift+X", keys: ["x"], shift: true },
  { act: "swap", label: "Swap values A and B; while X is pressed: the other side", shown: "X", keys: ["x"] },
  { act: "frame", label: "Frame everything", shown: "F", keys: ["f"] },
  { act: "home", label: "Camera of the scene", shown: "Home", keys: ["Home"] },
  { act: "wireframe", label: "Wireframe", shown: "W", keys: ["w"] },
  { act: "previousColours", label: "Previous colours", shown: "Shift+M", keys: ["m"], shift: true },
  { act: "nextColours", label: "Next colours", shown: "M", keys: ["m"] },
  { act: "hide", label: "Hide the interface", shown: "H", keys: ["h"] },
  { act: "describe", label: "Describe what is there", shown: "I", keys: ["i"] },
  { act: "learn", label: "Learn (tutorial)", shown: "L", keys: ["l"] },
  { act: "keys", label: "Keys", shown: "? F1", keys: ["?", "F1"] },
  { act: "escape", label: "Close what is open, else release the grab, else clear the message, else back to Grab", shown: "Esc", keys: ["Escape"] },
  { act: "redo", label: "Redo", shown: "Ctrl+Shift+Z", keys: ["z"], ctrl: true, shift: true },
  { act: "undo", label: "Undo", shown: "Ctrl+Z", keys: ["z"], ctrl: true },
];

/** Other input that the dialog lists. */
export const POINTER: [string, string][] = [
  ["Left drag", "on a surface: the tool; beside it: orbit"], ["Alt + left drag, middle drag", "orbit"], ["Right drag", "pan"], ["Wheel", "zoom towards the pointer"],
  ["Ctrl + wheel", "radius of Grab, Pin and Brush"], ["Double click", "on a surface: orbit about that point; beside it: frame everything"],
  ["Fingers", "one: the tool or orbit; two: zoom and pan"], ["Enter on the stage", "a cursor for the keyboard: arrows move it, Enter grabs, arrows pull"],
];

/** The key of an action, for tooltips: " (F)". */
export const keyOf = (act: Action): string => ` (${KEYS.find((one) => one.act === act)!.shown.split(" ")[0]})`;

/** The row that an event means, if any. */
export function keyFor(event: KeyboardEvent): Key | undefined {
  const name = event.key.length === 1 ? event.key.toLowerCase() : event.key, ctrl = event.ctrlKey || event.metaKey;
  if (event.altKey) return undefined;
  return KEYS.find((one) => one.keys.includes(name) && Boolean(one.ctrl) === ctrl && (!one.shift || event.shiftKey));
}
