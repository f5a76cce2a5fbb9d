/** The settings of the operator's own database. */
import { setting } from "./SettingRow.ts";
import { secretUrl } from "./SettingValue.ts";

export const DATABASE_SETTINGS = {
  databaseUrl: setting({
    name: "WINNOW_DATABASE_URL",
    parse: secretUrl("postgres:", "postgresql:"),
    expected: "a postgres:// URL, or unset for the embedded database",
    default: null,
    defaultText: "the embedded PostgreSQL",
    meaning: "`postgres://…` URL of your own PostgreSQL server",
    secret: true
  }),
  databaseDirectUrl: setting({
    name: "WINNOW_DATABASE_DIRECT_URL",
    parse: secretUrl("postgres:", "postgresql:"),
    expected: "a postgres:// URL, or unset without a pooler",
    default: null,
    defaultText: "none",
    meaning:
      "direct URL of the same database, if `WINNOW_DATABASE_URL` is a pooler in transaction mode ([how](../operations.md#your-own-postgresql))",
    secret: true
  })
};
