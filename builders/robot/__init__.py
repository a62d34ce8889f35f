"""A six-axis industrial arm of the class of the KR 15/2, built part by part with every gear in it.

43 bodies and 95 joints, among them 7 spur, 3 bevel and 10 internal gear meshes, after the model of Vlasenko and Kasper
(Spatial kinematics of gears in absolute coordinates). `python -m builders.robot` writes the files
`robot.yaml` and `robot-pick-and-place.yaml` among the bundled examples.
"""
