/** What became of a test: the server answers at once, and delivers it afterwards. */
import { href } from "../../data/addresses.ts";
import { useDelivery } from "../../data/deliveries.ts";
import { Problem } from "../../parts/Problem.tsx";
import { Time } from "../../parts/Time.tsx";
import { words } from "../../words/words.ts";

export const TestDelivery = ({ id }: { readonly id: string }) => {
  const { data: delivery, error, refetch } = useDelivery(id);
  if (delivery === undefined && error !== null) {
    return <Problem error={error} retry={() => void refetch()} />;
  }
  const failure = delivery?.attempts.at(-1)?.error ?? delivery?.note ?? null;
  const isFailed = delivery?.status === "failed" || (delivery?.status === "pending" && failure !== null);
  return (
    <p class={isFailed ? "fault" : "hint"} role="status">
      {delivery?.status === "delivered"
        ? words.webhooks.tested
        : isFailed
          ? words.webhooks.testFailed(failure ?? "")
          : words.webhooks.testUnderWay}{" "}
      {isFailed && delivery?.nextAttemptAt != null ? (
        <>
          {words.webhooks.next} <Time iso={delivery.nextAttemptAt} />.{" "}
        </>
      ) : null}
      <a href={href(`deliveries/${id}`)}>{words.webhooks.testAttempts}</a>
    </p>
  );
};
