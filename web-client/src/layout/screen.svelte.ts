// How wide the page is, and how far the sheet of a phone is drawn up. It knows nothing of the game: who wants room says so.

const heights = ["low", "half", "full"] as const;
export type Height = (typeof heights)[number];

/** A query that is asked again whenever its answer changes. */
function watched(query: string): { readonly matches: boolean } {
  const asked = window.matchMedia(query);
  let matches = $state(asked.matches);
  $effect(() => {
    const change = () => (matches = asked.matches);
    asked.addEventListener("change", change);
    return () => asked.removeEventListener("change", change);
  });
  return {
    get matches() {
      return matches;
    },
  };
}

export type Screen = ReturnType<typeof watchScreen>;

/** Made once, while the page is set up: it keeps effects of that page. */
export function watchScreen() {
  const wide = watched("(min-width: 1180px)");
  const phone = watched("(max-width: 899px)");
  let sheet = $state<Height>("low");
  return {
    /** The orders have a side of their own. */
    get wide() {
      return wide.matches;
    },
    /** The panels are a sheet over the foot of the map. */
    get phone() {
      return phone.matches;
    },
    get sheet() {
      return sheet;
    },
    /** Draws the sheet to a height; what is no phone has none, and it waits there. */
    draw(height: Height): void {
      sheet = height;
    },
    /** Something in the sheet is to be read. */
    raise(): void {
      if (phone.matches && sheet === "low") sheet = "half";
    },
    /** Something on the map is to be seen beside the sheet. */
    clear(): void {
      if (phone.matches && sheet === "full") sheet = "half";
    },
    /** A finger has pulled it by so many pixels, or pressed it. */
    pulled(by: number): void {
      const index = heights.indexOf(sheet);
      if (by < -24) sheet = heights[Math.min(2, index + 1)] ?? sheet;
      else if (by > 24) sheet = heights[Math.max(0, index - 1)] ?? sheet;
      else if (Math.abs(by) < 5) sheet = sheet === "low" ? "half" : sheet === "half" ? "full" : "low";
    },
  };
}
