import manifest from "../../package.json" with { type: "json" };

/** Version of this toolkit. */
export const VERSION: string = manifest.version;
