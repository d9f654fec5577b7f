"""Judges ECS register-task-definition inputs (a JSON list on stdin) with botocore's own model; prints a JSON list of reports."""
import json
import sys

import botocore.session
from botocore.validate import ParamValidator

shape = botocore.session.get_session().get_service_model("ecs").operation_model("RegisterTaskDefinition").input_shape
# The model of 2022 lacks a member that the service has taken since Service Connect.
mapping = shape.members["containerDefinitions"].member.members["portMappings"].member.members
newer = {"name", "appProtocol"} - set(mapping)
reports = []
for definition in json.load(sys.stdin):
    for container in definition.get("containerDefinitions", []):
        for port in container.get("portMappings", []):
            for key in newer:
                port.pop(key, None)
    report = ParamValidator().validate(definition, shape)
    reports.append(report.generate_report() if report.has_errors() else "")
print(json.dumps(reports))
