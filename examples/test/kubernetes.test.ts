/**
 * docs/deploy/kubernetes.yaml: validated against Kubernetes' own schemas and types, and compared with the
 * server, its image and its settings.
 */
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { DockerfileParser } from "dockerfile-ast";
import { Deployment, type IDeployment } from "kubernetes-models/apps/v1";
import { PodDisruptionBudget } from "kubernetes-models/policy/v1";
import { ConfigMap, Service } from "kubernetes-models/v1";
import { assert, describe, it, vi } from "vitest";
import { parseAllDocuments } from "yaml";
import { TIMEOUTS } from "./Stage.ts";

vi.setConfig(TIMEOUTS);

const run = promisify(execFile);

const ROOT = path.resolve(import.meta.dirname, "../..");
const read = (file: string): Promise<string> => readFile(path.join(ROOT, file), "utf8");

/** A server that gets SIGTERM exits within this time. */
const STOP_SECONDS_MAX = 30;

/** The secret that the comment at the top of the file creates. */
const SECRET_NAME = "winnow";

interface Resource {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec?: any;
  readonly data?: Readonly<Record<string, string>>;
}

const MODELS: Readonly<Record<string, new (resource: any) => { validate: () => void }>> = {
  ConfigMap,
  Deployment,
  PodDisruptionBudget,
  Service
};

const text = await read("docs/deploy/kubernetes.yaml");
const documents = parseAllDocuments(text);
const resources = documents.map((each) => each.toJS() as Resource);
const deployments = resources.filter(
  ({ kind }) => kind === "Deployment"
) as unknown as ReadonlyArray<IDeployment>;

const podOf = ({ spec }: IDeployment) => spec?.template.spec ?? assert.fail("no pod");
const containerOf = (deployment: IDeployment) =>
  podOf(deployment).containers[0] ?? assert.fail("no container");
const byKind = (kind: string): ReadonlyArray<Resource> => resources.filter((each) => each.kind === kind);

/** The compiler's errors for the resources as literals of Kubernetes' types, which reject unknown fields. */
const typeErrors = async (checked: ReadonlyArray<Resource>): Promise<string> => {
  const folder = await mkdtemp(path.join(tmpdir(), "winnow-kubernetes-"));
  try {
    await symlink(path.join(ROOT, "examples/node_modules"), path.join(folder, "node_modules"));
    const lines = checked.map(({ apiVersion, kind, ...rest }, index) => {
      const literal = JSON.stringify({ apiVersion, kind, ...rest });
      return `import type { I${kind} as T${index} } from "kubernetes-models/${apiVersion}";\nexport const r${index}: T${index} = ${literal};`;
    });
    const file = path.join(folder, "resources.ts");
    await writeFile(path.join(folder, "package.json"), '{ "type": "module" }');
    await writeFile(file, lines.join("\n"));
    const options = ["--noEmit", "--strict", "--skipLibCheck", "--module", "nodenext", "--types", ""];
    const { stdout } = await run(path.join(ROOT, "node_modules/.bin/tsc"), [...options, file], {
      cwd: folder
    }).catch((error: { readonly stdout: string }) => error);
    return stdout;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

describe("docs/deploy/kubernetes.yaml", () => {
  it("is valid against Kubernetes' schemas, in every resource and field", async () => {
    for (const { errors } of documents) assert.isEmpty(errors);
    for (const resource of resources) {
      const Model = MODELS[resource.kind] ?? assert.fail(`no schema for ${resource.kind}`);
      new Model(resource).validate();
    }
    assert.strictEqual(await typeErrors(resources), "");
  });

  it("would be refused with a field that there is not, or of another type", async () => {
    const [deployment = assert.fail()] = byKind("Deployment");
    const typo = structuredClone(deployment);
    typo.spec.template.spec.containers[0].livenessProb = {};
    assert.include(await typeErrors([typo]), "livenessProb");
    const wrong = structuredClone(deployment);
    wrong.spec.replicas = "two";
    assert.throws(() => new Deployment(wrong as any).validate());
  });

  it("is consistent: labels, ports, volumes, references", () => {
    const configMaps = byKind("ConfigMap").map(({ metadata }) => metadata.name);
    for (const deployment of deployments) {
      const labels = deployment.spec?.template.metadata?.labels ?? {};
      assert.deepInclude(labels, deployment.spec?.selector.matchLabels ?? {});
      const container = containerOf(deployment);
      const volumes = podOf(deployment).volumes?.map(({ name }) => name);
      assert.sameMembers(container.volumeMounts?.map(({ name }) => name) ?? [], volumes ?? []);
      for (const { configMapRef, secretRef } of container.envFrom ?? []) {
        if (configMapRef !== undefined) assert.include(configMaps, configMapRef.name);
        if (secretRef !== undefined) assert.strictEqual(secretRef.name, SECRET_NAME);
      }
    }
    for (const { kind, spec } of [...byKind("Service"), ...byKind("PodDisruptionBudget")]) {
      const wanted = kind === "Service" ? spec.selector : spec.selector.matchLabels;
      const selected = deployments.filter(({ spec: deployed }) =>
        Object.entries(wanted).every(([name, value]) => deployed?.template.metadata?.labels?.[name] === value)
      );
      assert.lengthOf(selected, 1);
      const ports = containerOf(selected[0] ?? assert.fail()).ports?.map(({ name }) => name);
      for (const { targetPort } of spec.ports ?? []) assert.include(ports, targetPort);
    }
  });

  it("configures both roles of the server, with a shared database and bucket", async () => {
    const settings = await read("docs/reference/settings.md");
    const named = new Set([...text.matchAll(/\bWINNOW_[A-Z_]+/gu)].map(([name]) => name));
    for (const name of named) assert.include(settings, `\`${name}\``);
    for (const name of ["WINNOW_DATABASE_URL", "WINNOW_ADMIN_TOKEN"])
      assert.match(text, new RegExp(`^#.*--from-literal ${name}=`, "mu"));
    assert.match(byKind("ConfigMap")[0]?.data?.["WINNOW_ARTIFACTS_URL"] ?? "", /^s3:/u);
    const roles = deployments.map(
      (each) => containerOf(each).env?.find(({ name }) => name === "WINNOW_ROLE")?.value
    );
    assert.sameMembers(roles, ["api", "worker"]);
  });

  it("probes the server's port, and gives it enough time to stop", async () => {
    const { paths } = JSON.parse(await read("packages/server/openapi.json")) as { readonly paths: object };
    const port = /^\| `WINNOW_PORT` .*\| `(\d+)` \|/mu.exec(await read("docs/reference/settings.md"))?.[1];
    for (const deployment of deployments) {
      const container = containerOf(deployment);
      assert.deepStrictEqual(container.ports, [{ name: "http", containerPort: Number(port) }]);
      assert.strictEqual(deployment.spec?.template.metadata?.annotations?.["prometheus.io/port"], port);
      const { livenessProbe, readinessProbe, startupProbe } = container;
      assert.deepStrictEqual(
        [startupProbe, livenessProbe, readinessProbe].map((probe) => probe?.httpGet?.path),
        ["/healthz", "/healthz", "/readyz"]
      );
      for (const { httpGet } of [startupProbe, livenessProbe, readinessProbe].map(
        (probe) => probe ?? assert.fail()
      )) {
        assert.property(paths, httpGet?.path ?? "");
        assert.strictEqual(httpGet?.port, "http");
      }
      const beforeSeconds = container.lifecycle?.preStop?.sleep?.seconds ?? 0;
      const graceSeconds = podOf(deployment).terminationGracePeriodSeconds ?? 0;
      assert.isAbove(graceSeconds, STOP_SECONDS_MAX + beforeSeconds);
    }
  });

  it("runs the image as its user, with writable folders as in the image and permission to create the sandbox", async () => {
    const instructions = DockerfileParser.parse(await read("docs/deploy/Dockerfile")).getInstructions();
    const volumes = instructions
      .filter((each) => each.getKeyword() === "VOLUME")
      .map((each) => each.getArgumentsContent() ?? "");
    // The user `node` of the official Node image.
    assert.isTrue(
      instructions.some((each) => each.getKeyword() === "USER" && each.getArgumentsContent() === "node")
    );
    for (const deployment of deployments) {
      const pod = podOf(deployment);
      const container = containerOf(deployment);
      assert.deepInclude(pod.securityContext, { runAsNonRoot: true, runAsUser: 1000, fsGroup: 1000 });
      // Only pods with a user namespace may have an unmasked /proc.
      assert.isFalse(pod.hostUsers);
      assert.deepStrictEqual(
        [pod.securityContext?.seccompProfile?.type, pod.securityContext?.appArmorProfile?.type],
        ["Unconfined", "Unconfined"]
      );
      assert.deepInclude(container.securityContext, {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        procMount: "Unmasked",
        capabilities: { drop: ["ALL"] }
      });
      assert.sameMembers(container.volumeMounts?.map(({ mountPath }) => mountPath) ?? [], [
        ...volumes,
        "/tmp"
      ]);
    }
  });
});
