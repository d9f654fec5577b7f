/** Rules whose errors qm 0.1.12's `check` does not have, with the reason why we do. */
export const STRICTER_THAN_QM: { readonly [rule: string]: string } = {
  "sandbox/api-url-unreachable": "qm does not look at the address; agents on remote machines fail to call core (design.md)",
  "sandbox/backend-mismatch": "qm wires one backend and core runs the other (O-23)",
  "sandbox/backend-not-wired": "qm does not mount the socket, and says nothing (O-26)",
  "sandbox/bad-setting": "qm knows no setting of boxd; core would not start, or boxd refuse the machine (design.md)",
  "sandbox/blank-backend": "a blank name hides the declared one and its secrets (O-24)",
  "sandbox/fly-only-field": "qm drops what no backend takes where the backend is named by the environment (issue 2)",
  "sandbox/misplaced-setting": "qm hands the setting to a service that does not read it",
  "sandbox/secondary-equals-primary": "core refuses it, qm does not look at it (design.md)",
  "secrets/secret-value": "qm judges names only, so that a URL with a password passes (O-58)",
};

/** Fragments that qm 0.1.12 refuses and we do not, with the reason. */
export const QM_ALONE_REFUSES: { readonly [fragment: string]: string } = {};
