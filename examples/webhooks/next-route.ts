/** A webhook receiver as a route of Next.js: `app/hooks/winnow/route.ts`. */
import { verifyWebhook, WebhookVerificationError } from "@winnow/client/webhooks";

export async function POST(request: Request): Promise<Response> {
  try {
    const { event, data } = await verifyWebhook({
      payload: await request.text(),
      headers: request.headers,
      secret: process.env.WINNOW_WEBHOOK_SECRET
    });
    if (event === "extraction.completed") console.log(`${data.id} complete: ${data.summary.title}`);
    if (event === "extraction.failed") console.log(`${data.id} failed: ${data.error}`);
    return new Response(null, { status: 204 });
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    return new Response(error.reason, { status: 400 });
  }
}
