#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""OpenMM: energies and forces of its OpenCL platform against its reference platform's."""
import sys

import app

np, openmm, unit = app.modules("numpy", "openmm", "openmm.unit")
PARTICLES, BOX_NM = 300, 3.0


def make_system(random):
    system = openmm.System()
    system.setDefaultPeriodicBoxVectors((BOX_NM, 0, 0), (0, BOX_NM, 0), (0, 0, BOX_NM))
    pairs, bonds, angles = openmm.NonbondedForce(), openmm.HarmonicBondForce(), openmm.HarmonicAngleForce()
    pairs.setNonbondedMethod(openmm.NonbondedForce.CutoffPeriodic)
    pairs.setCutoffDistance(1.0)
    for i in range(PARTICLES):
        system.addParticle(18.0)
        pairs.addParticle(0.3 if i % 2 else -0.3, 0.25, 0.4)
    for i in range(0, PARTICLES - 2, 3):
        bonds.addBond(i, i + 1, 0.2, 1000)
        angles.addAngle(i, i + 1, i + 2, 1.9, 50)
        pairs.addException(i, i + 1, 0, 1, 0)
    for force in (pairs, bonds, angles):
        system.addForce(force)
    side = 7  # places of a grid, moved a little: nobody is too close to anybody
    places = np.array([(i % side, i // side % side, i // side // side) for i in range(PARTICLES)]) * BOX_NM / side
    return system, places + random.uniform(-0.03, 0.03, places.shape)


def compute(system, places, name, properties):
    integrator = openmm.VerletIntegrator(0.001)
    context = openmm.Context(system, integrator, openmm.Platform.getPlatformByName(name), properties)
    context.setPositions(places)
    state = context.getState(getEnergy=True, getForces=True)
    return (state.getPotentialEnergy().value_in_unit(unit.kilojoule_per_mole),
            state.getForces(asNumpy=True).value_in_unit(unit.kilojoule_per_mole / unit.nanometer))


def main():
    names = [openmm.Platform.getPlatform(i).getName() for i in range(openmm.Platform.getNumPlatforms())]
    if "OpenCL" not in names:
        return app.skip(f"this OpenMM has {', '.join(names)}")
    results = app.Results()
    system, places = make_system(np.random.RandomState(4))
    energy, forces = compute(system, places, "Reference", {})
    for precision, most in (("single", 1e-4), ("mixed", 1e-4), ("double", 1e-7)):
        found, found_forces = compute(system, places, "OpenCL", {"Precision": precision})
        results.case(f"energy, {precision}", abs(found - energy) / abs(energy), most)
        results.case(f"forces, {precision}", float(abs(found_forces - forces).max() / abs(forces).max()), most)
    return results.end()


if __name__ == "__main__":
    sys.exit(main())
