import type { Browser } from "playwright-core";

export declare function hasBrowser(): boolean;
export declare function launchBrowser(): Promise<Browser>;
