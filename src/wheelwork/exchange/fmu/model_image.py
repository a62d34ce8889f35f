"""Tables and machine code of an FMU for one kind of processor, as its binary puts them into memory."""

from __future__ import annotations

from typing import Any

import numpy as np

from wheelwork.analyses.reduction.straight_line import tree_programs
from wheelwork.engine.engine import kernel_groups
from wheelwork.engine.machine_code import linked_for
from wheelwork.engine.native_system import STABILISATIONS, stabilisation_numbers
from wheelwork.engine.records import records
from wheelwork.engine.reduced import TIGHTER
from wheelwork.lazy import casadi as ca
from wheelwork.lazy import tape
from wheelwork.system.symbolic_motion import output_function

from .image import Image, ImageOffset
from .model import FmuModel
from .tangent import tangent_function

METHODS = ("dopri5", "dop853", "rk4", "sdirk4")
"""In the order of ``core/fmu.hpp``."""


def image_of(model: FmuModel, processor: str) -> bytes:
    """Tables and code for one kind of processor."""
    functions, names = _functions(model)
    image, run = Image(), model.run
    program = _program(model, image)
    tree = _tree(model, image)
    implicit = model.core_tables.implicit
    options = image.structure("Options", _options(model))
    at, numbers = model.at, model.at.prepared.numbers
    kinds = records("VariableRow", [(int(v.kind), v.index) for v in model.variables])
    prescribed = [tuple(model.settable.index(p) for p in one.parameters) for one in model.given.prescribed]
    switches = 0 if model.program.switches is None else model.program.switches.size1_out(0)
    renewal, direct_size = np.zeros(0), 0
    if model.tree_model is not None and model.tree is not None:
        renewal = np.asarray(model.tree_model.values, float)
        direct_size = len(model.tree[1]["direct_numbers"])
    rates = None if model.reduction is None else image.add(np.asarray(model.reduction.rates, float))
    given = {name: image.functions([function]) for name, function in names.items()}
    root = image.structure(
        "FmuModel",
        {
            "variables": len(model.variables),
            "parameters": len(model.settable),
            "outputs": len(model.signals),
            "states": len(model.continuous),
            "prescribed": len(prescribed),
            "data_size": len(numbers.data),
            "method": METHODS.index(run.method),
            "stabilisation": STABILISATIONS[run.stabilisation],
            "stabilisation_iterations": run.stabilisation_iterations,
            "switch_count": switches,
            "knot_count": len(model.program.knots),
            "fixed_start": int(bool(model.program.driver_constraints)),
            "direct_size": direct_size,
            "renewal_size": len(renewal),
            "start": run.start,
            "token": image.add(model.token.encode() + b"\0"),
            "program": program,
            "tree": tree,
            "implicit": None
            if implicit is None
            else image.structure(
                "ImplicitTables",
                {"nodes": len(implicit["order"]), **{name: image.add(a) for name, a in implicit.items()}},
            ),
            "options": options,
            "stabilisation_values": image.structure(
                "StabilisationNumbers", stabilisation_numbers(run.stabilisation_values)
            ),
            "state": image.add(at.state),
            "rates": rates,
            "variable": image.add(kinds),
            "value": image.add(np.array([v.start or 0.0 for v in model.variables])),
            "parameter": image.add(np.array([numbers.parameters[name] for name in model.settable], float)),
            "state_place": image.add(np.array(model.continuous, np.int32)),
            "prescription": image.add(records("PrescribedRow", prescribed)),
            "renewal": image.add(renewal),
            "knots": image.add(np.asarray(model.program.knots, float)),
            **given,
        },
    )
    return image.finished(root, linked_for(processor, tape.emit(functions)))


def _functions(model: FmuModel) -> tuple[list[Any], dict[str, str]]:
    """What is to be machine code, and the names of some of it."""
    program, implicit = model.program, model.run.method == "sdirk4"
    functions: list[Any] = [f for group in kernel_groups(program, implicit) for f in group]
    names = {}
    if model.settable:
        column, everything = model.parameters_by(model.settable)
        data = program.numbers_function.call([everything])[0]
        functions.append(ca.Function("fmu_numbers", [column], ca.cse([ca.densify(data)])))
        names["numbers"] = "fmu_numbers"
    if model.signals:
        functions.append(output_function(program, model.at.prepared.numbers, model.signals))
        names["output"] = "fmu_outputs"
    if program.switches is not None:
        dense = [ca.densify(part) for part in program.switches.call(program.switches.sx_in())]
        functions.append(ca.Function("fmu_switches", program.switches.sx_in(), dense))
        names["switches"] = "fmu_switches"
    if model.tree_model is not None:
        programs = tree_programs(model.tree_model)
        functions += programs
        names["renewed"] = "direct_numbers"
        tangent = _tangent(model, programs[-1])
        if tangent is not None:
            functions.append(tangent)
            names["tangent"] = "fmu_tangent"
    unique = {_name(function): function for function in functions}
    return list(unique.values()), names


def _tangent(model: FmuModel, direct: tape.Tape) -> ca.Function | None:
    """Of the right-hand side; None where straight-line code is not all of it: the core closes loops, and knows
    which joints stick."""
    sizes = model.core_tables.sizes
    if model.reduction is None or model.reduction.cuts or sizes["frictions"] or sizes["contacts"]:
        return None
    numbers = len(model.tree[1]["direct_numbers"]) if model.tree else 0
    return tangent_function(direct, 3 * model.program.inputs + 3, numbers, len(model.labels))


def _program(model: FmuModel, image: Image) -> ImageOffset:
    core, numbers = model.core_tables, model.at.prepared.numbers
    count = core.sizes["bodies"]
    inertia = np.zeros((max(1, count), 13))
    inertia[:count, 0] = numbers.mass
    for offset, tensors in ((1, numbers.inertia), (7, np.linalg.inv(numbers.inertia))):
        inertia[:count, offset : offset + 6] = tensors[:, [0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]]
    fields: dict[str, Any] = {name: image.add(array) for name, array in core.arrays.items()}
    fields |= {name: image.functions(names) for name, names in core.kernels.items() if names}
    fields |= {
        "inertia": image.add(inertia),
        "gravity": image.add(numbers.gravity),
        "data": image.add(numbers.data),
    }
    return image.structure("Program", {**core.sizes, **fields})


def _tree(model: FmuModel, image: Image) -> ImageOffset | None:
    if model.tree is None:
        return None
    numbers, direct = model.tree
    fields: dict[str, Any] = {k: v for k, v in numbers.items() if isinstance(v, int)}
    fields |= {k: image.add(v) for k, v in numbers.items() if isinstance(v, np.ndarray) and k != "gravity"}
    fields["gravity"] = tuple(float(x) for x in numbers["gravity"])
    if direct:
        fields["direct"] = image.functions(["direct"])
        fields["direct_numbers"] = image.add(direct["direct_numbers"])
    return image.structure("TreeTables", fields)


def _options(model: FmuModel) -> dict[str, Any]:
    run, tighter = model.run, 1.0 if model.reduction is None else TIGHTER
    return {
        "step": run.step or 0.0,
        "rtol": tighter * run.rtol,
        "atol": tighter * run.atol,
        "projection_tolerance": run.projection_tolerance,
        "event_tolerance": run.event_tolerance,
        "smallest_step": run.smallest_step,
        "largest_step": run.largest_step,
        "max_steps": run.max_steps,
        "stop_at_skip": int(run.skipping == "stop"),
        "until": np.inf,
    }


def _name(function: Any) -> str:
    return function.name if isinstance(function, tape.Tape) else function.name()
