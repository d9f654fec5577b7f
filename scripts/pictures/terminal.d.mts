export declare function terminalPicture(): string;
