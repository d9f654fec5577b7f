import { byId, icon } from "./dom.ts";

export type Theme = "auto" | "light" | "dark";

const ORDER: readonly Theme[] = ["auto", "light", "dark"];
const WORDS = { auto: "as the system", light: "light", dark: "dark" } as const;
const KEY = "qm-deploy-theme";

function stored(): Theme {
  try {
    return ORDER.find((theme) => theme === localStorage.getItem(KEY)) ?? "auto";
  } catch {
    return "auto";
  }
}

/** Lets the button go through the themes; `onChange` is told the one that counts, at once too. */
export function themeSwitch(onChange: (theme: Theme) => void): void {
  const button = byId("theme");
  let theme = stored();
  const show = (): void => {
    document.documentElement.dataset["theme"] = theme;
    button.replaceChildren(icon(theme));
    button.setAttribute("aria-label", `Theme: ${WORDS[theme]}`);
    button.title = `Theme: ${WORDS[theme]}`;
    onChange(theme);
  };
  button.addEventListener("click", () => {
    theme = ORDER[(ORDER.indexOf(theme) + 1) % ORDER.length] ?? "auto";
    try {
      localStorage.setItem(KEY, theme);
    } catch {
      // A browser that keeps nothing shows what was chosen until the page is left.
    }
    show();
  });
  show();
}
