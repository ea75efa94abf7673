"""What the official Python SDK sees of a server. Prints a line for each check; exit code 1 when one fails.

COMFY_BASE_URL and ATELIER_API_KEY say where; HOLD_FILE is a path that ends a job of TestHold once it exists.
"""

import asyncio
import io
import os
import sys
import time
import traceback
import uuid
from pathlib import Path

import comfy_sdk
from comfy_sdk import AsyncComfy, Comfy

KEY = os.environ["ATELIER_API_KEY"]
HOLD = Path(os.environ["HOLD_FILE"])
FAILED = []


def picture(color):
    return {
        "1": {"class_type": "EmptyImage", "inputs": {"width": 40, "height": 20, "batch_size": 1, "color": color}},
        "2": {"class_type": "SaveImage", "inputs": {"images": ["1", 0], "filename_prefix": "python"}},
    }


def text():
    return {
        "1": {"class_type": "PrimitiveString", "inputs": {"value": str(uuid.uuid4())}},
        "2": {"class_type": "PreviewAny", "inputs": {"source": ["1", 0]}},
    }


def scale():
    return {
        "1": {"class_type": "LoadImage", "inputs": {}},
        "2": {
            "class_type": "ImageScale",
            "inputs": {"image": ["1", 0], "upscale_method": "lanczos", "width": 8, "height": 4, "crop": "disabled"},
        },
        "3": {"class_type": "SaveImage", "inputs": {"images": ["2", 0], "filename_prefix": "small"}},
    }


def raises(kind, work):
    try:
        work()
    except kind as error:
        return error
    raise AssertionError(f"no {kind.__name__}")


def size(png):
    return int.from_bytes(png[16:20]), int.from_bytes(png[20:24])


def run_and_download(comfy):
    job = comfy.run(comfy.workflows.from_json(picture(255)))
    assert job.status == "succeeded", job.status
    (output,) = job.get_outputs("2")
    data = output.to_bytes()
    assert (output.type, output.content_type, output.size_bytes) == ("image", "image/png", len(data))
    assert size(data) == (40, 20) and output.job_id == job.id
    assert output.to_bytes(range=(1, 3)) == b"PNG"
    stream = io.BytesIO()
    assert output.to_stream(stream) == len(data) and stream.getvalue() == data
    assert output.get_download_url().url.startswith("http")
    workflow = job.get_workflow()
    assert workflow.format == "api", workflow


def texts_are_outputs(comfy):
    graph = text()
    job = comfy.run(comfy.workflows.from_json(graph))
    (output,) = job.outputs
    assert output.type == "text" and output.to_bytes().decode() == graph["1"]["inputs"]["value"]


def upload_and_refer(comfy):
    data = comfy.run(comfy.workflows.from_json(picture(77))).outputs[0].to_bytes()
    asset = comfy.assets.from_bytes(data + b"\0", filename="photo.png")
    workflow = comfy.workflows.from_json(scale())
    workflow.set_input("1", "image", asset)
    job = comfy.run(workflow)
    assert asset.created_new is True
    assert size(job.get_outputs("3")[0].to_bytes()) == (8, 4)
    again = comfy.assets.from_bytes(data + b"\0", filename="photo.png")
    assert again.commit() == asset.id and again.created_new is False
    known = comfy.assets.get(asset.id)
    assert known.hash == asset.hash and known.job_id is None and known.expires_at is None
    assert comfy.assets.get(job.outputs[0].id).job_id == job.id
    known.delete()
    raises(comfy_sdk.NotFound, lambda: comfy.assets.get(asset.id))


def events(comfy):
    job = comfy.submit(comfy.workflows.from_json(picture(99)))
    seen = list(job.events())
    names = [type(event).__name__ for event in seen]
    assert names[0] == names[-1] == "StatusChange" and "OutputReady" in names, names
    assert seen[-1].status == "succeeded"
    ready = next(event for event in seen if type(event).__name__ == "OutputReady")
    assert ready.output.id == job.refresh().outputs[0].id


def wait_cancel_and_progress(comfy):
    graph = {"1": {"class_type": "TestSteps", "inputs": {"until": str(HOLD) + ".never"}}}
    job = comfy.submit(comfy.workflows.from_json(graph))
    kinds = set()
    for event in job.events():
        kinds.add(type(event).__name__)
        if {"Progress", "Preview"} <= kinds and job.status != "canceled":
            job.cancel()
            assert job.status == "canceled", job.status
    assert job.wait(timeout=20).status == "canceled"
    assert job.cancel().status == "canceled"


def metadata_and_lists(comfy):
    label = str(uuid.uuid4())
    ids = []
    for n in range(5):
        job = comfy.submit(comfy.workflows.from_json(text()), metadata={"run": label, "n": str(n)})
        assert job.metadata == {"run": label, "n": str(n)}
        ids.insert(0, job.id)
    assert [job.id for job in comfy.list_jobs(metadata={"run": label}, limit=2)] == ids
    (one,) = comfy.list_jobs(metadata={"run": label, "n": "3"})
    assert one.id == ids[1] and one.create_time is not None and one.metadata["n"] == "3"
    error = raises(
        comfy_sdk.ComfyError, lambda: comfy.submit(comfy.workflows.from_json(text()), metadata={"a b": "x"})
    )
    assert error.code == "metadata_invalid", error.code


def errors(comfy):
    from_json = comfy.workflows.from_json
    error = raises(
        comfy_sdk.InvalidWorkflow, lambda: comfy.run(from_json({"1": {"class_type": "SaveImage", "inputs": {}}}))
    )
    assert "1" in error.details["node_errors"], error.details
    raises(comfy_sdk.WorkflowFormatUi, lambda: comfy.submit(from_json({"nodes": [], "links": []})))
    missing = {"__type": "core/ASSET", "info": {"id": str(uuid.uuid4())}}
    graph = {"1": {"class_type": "LoadImage", "inputs": {"image": missing}}}
    raises(comfy_sdk.MissingAsset, lambda: comfy.submit(from_json(graph)))
    key = str(uuid.uuid4())
    comfy.submit(from_json(text()), idempotency_key=key)
    raises(comfy_sdk.IdempotencyKeyReuse, lambda: comfy.submit(from_json(text()), idempotency_key=key))
    raises(comfy_sdk.NotFound, lambda: comfy.jobs.get(str(uuid.uuid4())))
    failing = {
        "1": {"class_type": "EmptyImage", "inputs": {"width": 16, "height": 16, "batch_size": 1, "color": 5}},
        "2": {"class_type": "ImageToMask", "inputs": {"image": ["1", 0], "channel": "alpha"}},
        "3": {"class_type": "MaskPreview", "inputs": {"mask": ["2", 0]}},
    }
    failed = raises(comfy_sdk.JobFailed, lambda: comfy.run(from_json(failing)))
    assert failed.error.node_id == "2" and failed.error.code == "node_execution_error", failed.error
    with Comfy(api_key=KEY + "x") as stranger:
        error = raises(comfy_sdk.ComfyError, lambda: stranger.jobs.get(str(uuid.uuid4())))
        assert error.code == "unauthorized", error.code


def schema_while_it_runs(comfy):
    HOLD.unlink(missing_ok=True)
    graph = {"1": {"class_type": "TestHold", "inputs": {"until": str(HOLD)}}}
    job = comfy.submit(comfy.workflows.from_json(graph))
    while job.refresh().status == "queued":
        time.sleep(0.05)
    assert job.status == "running"
    HOLD.touch()
    states = {job.status}
    while job.status == "running":
        states.add(job.refresh().status)
    assert states == {"running", "succeeded"}, states


def asynchronous(_comfy):
    async def work():
        async with AsyncComfy(api_key=KEY) as comfy:
            asset = comfy.assets.from_bytes(os.urandom(100), filename="random.bin")
            assert await asset.commit() and asset.created_new is True
            job = await comfy.submit(comfy.workflows.from_json(picture(5)))
            last = [event async for event in job.events()][-1]
            assert last.status == "succeeded"
            await job.result()
            assert size(await job.outputs[0].to_bytes()) == (40, 20)
            assert [one.id async for one in comfy.list_jobs(limit=1)][0] == job.id

    asyncio.run(work())


with Comfy(api_key=KEY) as client:
    for check in (
        run_and_download,
        texts_are_outputs,
        upload_and_refer,
        events,
        wait_cancel_and_progress,
        metadata_and_lists,
        errors,
        schema_while_it_runs,
        asynchronous,
    ):
        try:
            check(client)
            print("ok    ", check.__name__)
        except Exception:
            FAILED.append(check.__name__)
            print("FAILED", check.__name__)
            traceback.print_exc()
sys.exit(1 if FAILED else 0)
