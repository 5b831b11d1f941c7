/**
 * The version of the risk explanation. Raise it when its text changes in any language: every member is then asked
 * again.
 */
export const RISK_VERSION = 2
