import { UnreadableWorkflow } from '@atelier/engine/editor-format';
import { type NodeTypes, WorkflowRefusedError } from '@atelier/sdk';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';

import { atelier } from '../../atelier.ts';
import { sentenceOf } from '../../ui/error-sentence.ts';
import { showErrorToast } from '../../ui/toasts.tsx';
import { withMode, withNote, withSeedControl, withValue } from './document/change-workflow.ts';
import { findMissing, type Problem, problemsOfRefusal } from './document/find-problems.ts';
import type { Json } from './document/json.ts';
import { withNextSeeds } from './document/next-seeds.ts';
import { createNodeCatalogue } from './document/node-catalogue.ts';
import { randomSeed } from './document/random-seed.ts';
import { toPrompt } from './document/to-prompt.ts';
import { isEditorJson, readNodes } from './document/workflow-nodes.ts';
import { change, createHistory, redo, undo } from './history.ts';
import { readStored, store } from './open-workflows.ts';
import { useLiveRun } from './use-live-run.ts';
import { type WorkflowModel, WorkflowModelContext } from './workflow-model.ts';
import { runsQuery } from './workflow-queries.ts';
import type { WorkflowSource } from './workflow-source.ts';

interface Props {
  readonly source: WorkflowSource;
  readonly nodeTypes: NodeTypes;
  readonly children: ReactNode;
}

const STORE_DELAY_MS = 300;

/** Provides the open workflow to the form and the graph. */
export function WorkflowModelProvider({ source, nodeTypes, children }: Props) {
  const isDraft = source.key.startsWith('draft ');
  const stored = useMemo(() => readStored(source.key), [source.key]);
  const [history, setHistory] = useState(() => createHistory(stored?.json ?? source.json));
  const [base, setBase] = useState<Json | undefined>(isDraft ? undefined : source.json);
  const [name, setName] = useState(stored?.name ?? source.name);
  const [ownJobs, setOwnJobs] = useState<readonly string[]>(stored?.jobIds ?? []);
  const [chosenJob, setChosenJob] = useState(stored?.jobIds[0] ?? source.jobId);
  const [randomized, setRandomized] = useState<ReadonlySet<string>>(new Set());
  const [refusal, setRefusal] = useState<{ problems: readonly Problem[]; failure?: string }>({
    problems: [],
  });
  const json = history.now;
  const queryClient = useQueryClient();
  useStorage(source.key, {
    name,
    json: json === source.json && !isDraft ? undefined : json,
    jobIds: ownJobs,
  });

  const catalogue = useMemo(() => createNodeCatalogue(nodeTypes), [nodeTypes]);
  const nodes = useMemo(() => readNodes(json, catalogue), [json, catalogue]);
  const byId = useMemo(() => new Map(nodes.map((node) => [node.id, node])), [nodes]);
  const problems = useMemo(() => [...findMissing(nodes), ...refusal.problems], [nodes, refusal]);
  const problemsBy = useMemo(() => Map.groupBy(problems, ({ nodeId }) => nodeId), [problems]);

  const { data: runs = [] } = useQuery(runsQuery(name));
  const jobIds = useMemo(() => {
    const listed = runs.map(({ id }) => id);
    return [...ownJobs.filter((id) => !listed.includes(id)), ...listed];
  }, [runs, ownJobs]);
  const currentJobId = chosenJob ?? jobIds[0];
  const live = useLiveRun(currentJobId);

  const submit = useMutation({
    mutationFn: async (sent: Json) => {
      const prompt = toPrompt(sent, catalogue);
      return await atelier.jobs.submit(prompt, {
        workflowName: name === '' ? undefined : name,
        // Embedded in the pictures, so that they can be opened as this workflow.
        ...(isEditorJson(sent) && { extraData: { extra_pnginfo: { workflow: sent } } }),
      });
    },
    onSuccess: ({ id, nodeErrors }) => {
      setOwnJobs((before) => [id, ...before]);
      setChosenJob(id);
      setRefusal({ problems: problemsOfRefusal(nodeErrors) });
      setHistory((before) => change(before, withNextSeeds(before.now, catalogue), 'seeds', Date.now()));
      void queryClient.invalidateQueries({ queryKey: ['jobs'] });
    },
    onError: (error) => setRefusal(toldBy(error)),
  });

  const model: WorkflowModel = {
    name,
    rename: setName,
    source,
    format: isEditorJson(json) ? 'editor' : 'api',
    json,
    nodeTypes,
    catalogue,
    nodes,
    nodeOf: (id) => byId.get(id),
    setValue(nodeId, input, value) {
      setRefusal(({ problems: before }) => ({
        problems: before.filter((problem) => problem.nodeId !== nodeId || problem.input !== input),
      }));
      setHistory((before) =>
        change(
          before,
          withValue(before.now, { nodeId, input, value }, catalogue),
          `${nodeId}.${input}`,
          Date.now(),
        ),
      );
    },
    setControl: (nodeId, input, control) =>
      setHistory((before) =>
        change(
          before,
          withSeedControl(before.now, { nodeId, input, control }, catalogue),
          `control ${nodeId}.${input}`,
          Date.now(),
        ),
      ),
    setMode: (nodeIds, mode) =>
      setHistory((before) => {
        const ids = typeof nodeIds === 'string' ? [nodeIds] : nodeIds;
        let next = before.now;
        for (const id of ids) next = withMode(next, id, mode);
        return change(before, next, `mode ${ids.join()} ${mode}`, Date.now());
      }),
    setNote: (nodeId, text) =>
      setHistory((before) =>
        change(before, withNote(before.now, nodeId, text), `note ${nodeId}`, Date.now()),
      ),
    replace: (next) => setHistory((before) => change(before, next, 'replace', Date.now())),
    savedJson: base,
    adopt(saved) {
      setBase(saved);
      setHistory((before) => change(before, saved, 'adopt', Date.now()));
    },
    undo: () => setHistory(undo),
    redo: () => setHistory(redo),
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
    isDirty: json !== base,
    markSaved: () => setBase(json),
    problems,
    problemsOf(nodeId, input) {
      const found = problemsBy.get(nodeId) ?? [];
      return input === undefined ? found : found.filter((problem) => problem.input === input);
    },
    failure: refusal.failure,
    randomized,
    setRandomized: (key, isOn) =>
      setRandomized((before) => {
        const next = new Set(before);
        if (isOn) next.add(key);
        else next.delete(key);
        return next;
      }),
    run() {
      setRefusal({ problems: [] });
      let sent = json;
      for (const node of nodes) {
        for (const widget of node.widgets) {
          if (!randomized.has(`${node.id}.${widget.name}`)) continue;
          const value = randomSeed(widget.input);
          sent = withValue(sent, { nodeId: node.id, input: widget.name, value }, catalogue);
        }
      }
      if (sent !== json) setHistory((before) => change(before, sent, 'seeds', Date.now()));
      submit.mutate(sent);
    },
    isSubmitting: submit.isPending,
    cancel: (jobId) =>
      void atelier.jobs
        .cancel([jobId])
        .then(async () => await queryClient.invalidateQueries({ queryKey: ['job', jobId] }))
        .catch(showErrorToast),
    jobIds,
    currentJobId,
    show: setChosenJob,
    live,
  };
  return <WorkflowModelContext value={model}>{children}</WorkflowModelContext>;
}

function toldBy(error: unknown): { problems: readonly Problem[]; failure: string } {
  if (error instanceof WorkflowRefusedError) {
    return { problems: problemsOfRefusal(error.nodeErrors), failure: error.message };
  }
  if (error instanceof UnreadableWorkflow) {
    const problems = error.problems.flatMap(({ message, node }): Problem[] =>
      node ? [{ nodeId: node.id, input: undefined, kind: 'refused', text: message }] : [],
    );
    return { problems, failure: error.problems[0]?.message ?? error.message };
  }
  return { problems: [], failure: sentenceOf(error) };
}

/** Writes unsaved state to the browser soon after each change and when the page is closed, so that a reload loses nothing. */
function useStorage(key: string, state: Parameters<typeof store>[1]): void {
  const latest = useRef(state);
  const { name, json, jobIds } = state;
  useEffect(() => {
    latest.current = { name, json, jobIds };
    const timer = setTimeout(() => store(key, latest.current), STORE_DELAY_MS);
    return () => clearTimeout(timer);
  }, [key, name, json, jobIds]);
  useEffect(() => {
    const write = () => store(key, latest.current);
    addEventListener('pagehide', write);
    return () => {
      removeEventListener('pagehide', write);
      write();
    };
  }, [key]);
}
