type Child = Node | string | null;
type Attributes = { readonly [name: string]: string | number | boolean | null | ((event: Event) => void) };

/** An element. Attributes that are false or null are left out; functions listen to the event of their name. */
export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: readonly (Child | readonly Child[])[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value !== false && value !== null) element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.flat().filter((child) => child !== null));
  return element;
}

/** An element of index.html. */
export function byId<Kind extends HTMLElement = HTMLElement>(id: string): Kind {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`index.html has no #${id}`);
  return element as Kind;
}

/** A picture of the sprite in index.html; it says nothing to a screen reader. */
export function icon(name: string): SVGElement {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  use.setAttribute("href", `#i-${name}`);
  svg.append(use);
  return svg;
}

/** Text in which what stands between backquotes is code. */
export function prose(text: string): Node[] {
  return text
    .split(/`([^`]+)`/)
    .map((part, at) => (at % 2 === 1 ? h("code", {}, part) : document.createTextNode(part)))
    .filter((node) => node.textContent !== "");
}

/** Puts other children into an element; what had the focus has it again, where it has a `data-key` and is still there. */
export function replaceKeepingFocus(parent: HTMLElement, children: readonly Node[]): void {
  const key = parent.contains(document.activeElement)
    ? (document.activeElement as HTMLElement).dataset["key"]
    : undefined;
  parent.replaceChildren(...children);
  if (key !== undefined) parent.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`)?.focus();
}

/** "1 error", "2 errors". */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
