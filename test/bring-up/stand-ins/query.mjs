import { must } from "./answers.mjs";

/** The part of JMESPath that pages use: `a.b[0].c`, `a[].b`, `a[].[x,y]`. */
export function query(value, expression) {
  if (expression === "") return value;
  const [, key, index, rest] = /^([A-Za-z]+)?(\[\d*\])?\.?(.*)$/s.exec(expression) ?? [];
  const list = /^\[([A-Za-z,]+)\]$/.exec(expression)?.[1];
  if (list !== undefined) return list.split(",").map((name) => value[name]);
  must(key !== undefined || index !== undefined, `not understood: ${expression}`);
  const member = key === undefined ? value : value?.[key];
  must(member !== undefined, `--query finds no ${key} of ${expression}`);
  if (index === undefined) return query(member, rest);
  must(Array.isArray(member), `${key} is no list`);
  if (index !== "[]") return query(member[Number(index.slice(1, -1))], rest);
  return member.map((one) => query(one, rest));
}

/** As `--output text` prints it. */
export function asText(value) {
  if (!Array.isArray(value)) return typeof value === "object" ? Object.values(value).join("\t") : String(value);
  return value.map(asText).join(value.some(Array.isArray) ? "\n" : "\t");
}
