// The record of a game that is over, as a file. HID-72

/** What its file is called. It goes into a command line, so it holds nothing but letters, digits and dashes. */
export const fileOf = (game: string): string =>
  `picket-${game.slice(0, 8).replace(/[^0-9a-z-]/gi, "")}-record.json`;
