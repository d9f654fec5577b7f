"""Judges ECS values (a JSON list on stdin) with botocore's own model; prints a JSON list of reports. The arguments name the
operation and its side: `DescribeServices output`; without them, the inputs of RegisterTaskDefinition."""
import json
import sys

import botocore.session
from botocore.validate import ParamValidator

operation, side = sys.argv[1:] or ["RegisterTaskDefinition", "input"]
model = botocore.session.get_session().get_service_model("ecs").operation_model(operation)
shape = model.input_shape if side == "input" else model.output_shape
definition = shape.members["taskDefinition"] if "taskDefinition" in shape.members and side == "output" else shape
newer = set()
if "containerDefinitions" in definition.members:
    # The model of 2022 lacks a member that the service has taken since Service Connect.
    mapping = definition.members["containerDefinitions"].member.members["portMappings"].member.members
    newer = {"name", "appProtocol"} - set(mapping)
reports = []
for value in json.load(sys.stdin):
    inner = value.get("taskDefinition", value) if isinstance(value, dict) else {}
    for container in inner.get("containerDefinitions", []) if isinstance(inner, dict) else []:
        for port in container.get("portMappings", []):
            for key in newer:
                port.pop(key, None)
    report = ParamValidator().validate(value, shape)
    reports.append(report.generate_report() if report.has_errors() else "")
print(json.dumps(reports))
