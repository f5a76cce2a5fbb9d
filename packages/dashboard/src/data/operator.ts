/**
 * The operator's access to the service, with the admin token. The token is kept only in memory: it is lost when the
 * tab is closed or reloaded, and a password manager can fill it in again.
 */
import { ApiError, UnauthorizedError } from "@winnow/client";
import { AdminClient } from "@winnow/client/admin";
import { SERVER } from "./addresses.ts";
import { loadOf, samplesOf, type Load } from "./metrics.ts";

/** Null if the token is not the server's. */
export const operatorOf = async (token: string): Promise<AdminClient | null> => {
  // As in client.ts.
  const admin = new AdminClient({ token, baseUrl: SERVER.pathname, maxRetries: 0 });
  try {
    await admin.accounts.page({ limit: 1 });
    return admin;
  } catch (error) {
    if (error instanceof UnauthorizedError) return null;
    throw error;
  }
};

/** Null if the server is ready, else why it is not. */
export const readiness = async (admin: AdminClient): Promise<string | null> => {
  try {
    await admin.health();
    return null;
  } catch (error) {
    return (error as Error).message;
  }
};

/** Null if there are no metrics, because a proxy blocks them from outside. */
export const askLoad = async (admin: AdminClient): Promise<Load | null> => {
  try {
    return loadOf(samplesOf(await admin.metrics()));
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
};
